import { jsonDepthMax, nestsDeeperThan } from '../canonical-json.ts';
import { ApiError } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON in UTF-8 whatever `Content-Type` says (decisions.md). Undefined for an empty body. Throws `invalid_json`. */
export function parseJsonBody(bytes: Buffer | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined;
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json');
  }
  if (nestsDeeperThan(text, jsonDepthMax)) {
    throw new ApiError('invalid_json', { message: `The request body nests deeper than ${jsonDepthMax} levels.` });
  }
  return value;
}
