/** A clock that moves only when a test moves it. */
export class TestClock {
  #now = new Date('2026-03-10T12:00:10.000Z').getTime();

  now(): Date {
    return new Date(this.#now);
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }): void {
    this.#now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  }
}
