import { Socket } from 'node:net';

/**
 * A socket that sends everything written in one turn of the event loop at once. `pg` writes each statement of a pipeline
 * alone. Together, the statements of a transaction cost one system call instead of one each, and wake the server once.
 *
 * Over TLS each write is sent as it comes, because the TLS layer writes past this class.
 */
export class BatchingSocket extends Socket {
  #isHeld = false;

  override connect(...args: unknown[]): this {
    super.connect(...(args as Parameters<Socket['connect']>));
    // Node gives a socket that connects the original `write`, as a property of its own.
    Reflect.deleteProperty(this, 'write');
    return this;
  }

  override write(...args: unknown[]): boolean {
    this.#hold();
    return super.write(...(args as Parameters<Socket['write']>));
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.cork();
    // Runs after the promises that are already resolved, so statements that they issue are sent along.
    process.nextTick(() => {
      this.#isHeld = false;
      this.uncork();
    });
  }
}
