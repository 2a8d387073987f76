const renewPageMs = 1000;

/** The interval for refreshing a list while something in it is running. Longer lists are refreshed less often. */
export function renewMs(pages: readonly unknown[], isUnderWay: boolean): number | false {
  return isUnderWay ? renewPageMs * Math.max(1, pages.length) : false;
}
