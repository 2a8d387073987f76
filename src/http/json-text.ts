/** An answer that is JSON already: it is sent as it is, where any other result is serialised. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
