/** Loads a page as a document without running it. `DOMParser` would need a policy for trusted types. */
export function loadDocument(address: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.timeout = 20_000;
    request.onload = () =>
      request.status === 200 && request.responseXML
        ? resolve(request.responseXML)
        : reject(new Error(`the page was answered with ${request.status}`));
    request.onerror = request.ontimeout = () => reject(new Error('no connection'));
    request.send();
  });
}
