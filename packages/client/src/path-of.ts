/**
 * The path of one object, such as `/documents/<id>`.
 *
 * @throws `TypeError` for an id that would lead to another path.
 */
export function pathOf(collection: string, id: string): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
    throw new TypeError('The id must be a non-empty string.');
  }
  return `${collection}/${encodeURIComponent(id)}`;
}
