// The script of other sites, `/embed.js`: an element that shows a signing page in a frame and says what happens there.
//
//   <countersign-signing src="https://sign.example.com/sign/…" label="Sign the lease"></countersign-signing>
//
// It dispatches `ready`, `signed` and `declined`. `event.detail.state` is the state of the recipient, such as `completed`.

const types: readonly unknown[] = ['ready', 'signed', 'declined'];

class CountersignSigning extends HTMLElement {
  static observedAttributes = ['src', 'label'];

  #frame: HTMLIFrameElement | null = null;
  readonly #listen = (message: MessageEvent) => {
    const { source, type, state } = (message.data ?? {}) as { source?: unknown; type?: unknown; state?: unknown };
    if (this.#frame === null || message.source !== this.#frame.contentWindow) return;
    if (message.origin !== new URL(this.#frame.src).origin || source !== 'countersign' || !types.includes(type)) return;
    this.dispatchEvent(new CustomEvent(type as string, { detail: { state } }));
  };

  connectedCallback(): void {
    addEventListener('message', this.#listen);
    this.#show();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#listen);
    this.#frame?.remove();
    this.#frame = null;
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#show();
  }

  /** Another link gets another frame, so that nothing of the last page is left. */
  #show(): void {
    const src = this.getAttribute('src');
    if (this.#frame === null || this.#frame.getAttribute('src') !== src) {
      this.#frame?.remove();
      this.#frame = src === null ? null : frameOf(src);
      if (this.#frame !== null) this.append(this.#frame);
    }
    if (this.#frame !== null) this.#frame.title = this.getAttribute('label') ?? 'Countersign';
  }
}

/** Returns a frame that fills the element. Its name tells the page whom to tell. Null for what is no web address. */
function frameOf(src: string): HTMLIFrameElement | null {
  if (!/^https?:\/\//.test(src) || !URL.canParse(src)) return null;
  const frame = document.createElement('iframe');
  frame.name = `countersign:${location.origin}`;
  frame.src = src;
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', minHeight: '40rem', border: '0' });
  return frame;
}

if (customElements.get('countersign-signing') === undefined) {
  customElements.define('countersign-signing', CountersignSigning);
}
