/** An operator's wish that the rules refuse: one sentence for the person who asked (the command line's exit 1). */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}
