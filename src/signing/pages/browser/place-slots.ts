/** In percent of the page. */
interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Moves each field to its place on its page: the security policy allows it to a script, and not to the markup. */
export function placeSlots(): void {
  for (const sheet of document.querySelectorAll('.sheet')) {
    const slots = [...sheet.querySelectorAll<HTMLElement>('.slot')].map((slot) => ({ slot, place: placeOf(slot) }));
    for (const { slot, place } of slots) {
      for (const side of ['left', 'top', 'width', 'height'] as const) {
        slot.style.setProperty(`--${side}`, `${place[side]}%`);
      }
      slot.style.setProperty('--letters', `${slot.dataset.letters}cqw`);
      const { left, right } = roomOf(
        place,
        slots.map((one) => one.place),
      );
      slot.style.setProperty('--left-limit', `${left}%`);
      slot.style.setProperty('--right-limit', `${right}%`);
    }
  }
}

function placeOf(slot: HTMLElement): Place {
  const [left = 0, top = 0, width = 0, height = 0] = (slot.dataset.place ?? '').split(' ').map(Number);
  return { left, top, width, height };
}

/** How far a field can grow to both sides before it covers another in its row. */
function roomOf(place: Place, all: readonly Place[]): { left: number; right: number } {
  const rowMargin = 3;
  const inRow = all.filter(
    (other) =>
      other !== place &&
      other.top < place.top + place.height + rowMargin &&
      place.top < other.top + other.height + rowMargin,
  );
  const before = inRow.filter(({ left }) => left < place.left).map(({ left, width }) => left + width);
  const behind = inRow.filter(({ left }) => left > place.left).map(({ left }) => left);
  return { left: Math.min(place.left, Math.max(0, ...before)), right: Math.min(100, ...behind) };
}
