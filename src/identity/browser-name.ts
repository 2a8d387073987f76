const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/OPR\//, 'Opera'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox, Windows`. Null when neither is known. Nothing of the header itself is in it: anyone can send anything. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const named = [browsers, systems].map((names) => names.find(([sign]) => sign.test(userAgent))?.[1]);
  return named.filter((name) => name !== undefined).join(', ') || null;
}
