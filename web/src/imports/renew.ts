const renewPageMs = 1000;

/** How often a list is read anew while something in it is under way: the more of it was read, the more seldom. */
export function renewMs(pages: readonly unknown[], isUnderWay: boolean): number | false {
  return isUnderWay ? renewPageMs * Math.max(1, pages.length) : false;
}
