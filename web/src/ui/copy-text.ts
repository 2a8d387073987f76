/** Copies a text, also where browsers give scripts no clipboard, such as on addresses without https. Returns whether it did. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

/** The command copies what a listener puts there. */
function copyByCommand(text: string): boolean {
  let isPut = false;
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    isPut = event.clipboardData !== null;
  };
  document.addEventListener('copy', put);
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', put);
  return isDone && isPut;
}
