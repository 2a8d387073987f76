import { type TObject, type TSchema, Type } from 'typebox';
import { limitDefault, limitMax } from '../http/page-request.ts';
import { errorCodeKeyword } from '../http/validate-body.ts';

/** Returns the schema of the list envelope for an item schema. */
export function listOf(item: TSchema): TObject {
  return Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean({ description: 'Whether another page follows this one. Loop on this, not on data.' }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Opaque. Pass it as starting_after to fetch the next page. null when has_more is false.',
    }),
  });
}

/** The query parameters of every paginated list. */
export const pageParameters: Record<string, TSchema> = {
  limit: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    [errorCodeKeyword]: 'invalid_limit',
    description: 'Out of range is refused, never clamped.',
  }),
  starting_after: Type.String({
    [errorCodeKeyword]: 'invalid_cursor',
    description: 'A next_cursor from an earlier response. Returns the page after it.',
  }),
  ending_before: Type.String({
    [errorCodeKeyword]: 'invalid_cursor',
    description:
      'A cursor from an earlier response. Returns the page that ends there; has_more says whether rows follow it.',
  }),
};

export function statusParameter(statuses: readonly string[]): TSchema {
  return Type.String({
    [errorCodeKeyword]: 'invalid_status',
    description: `Comma-separated: ${statuses.join(', ')}. Any unknown value refuses the whole request.`,
  });
}
