import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { execute } from '../cli/countersign.ts';
import { hasTool } from '../support/tools.ts';

const script = `
import copy, json, multiprocessing, pickle
from concurrent.futures import ProcessPoolExecutor
import countersign
from countersign.errors import _classes, error_of

def refused():
    raise error_of(404, {}, None)

def fields_of(error):
    return [type(error).__name__, str(error), *(vars(error).get(name) for name in
        ("status", "type", "code", "param", "request_id", "retry_after_seconds", "idempotency_key", "is_outcome_unknown"))]

errors = [kind("Broken.") for kind in (countersign.CountersignError, countersign.ConnectionError, countersign.TimeoutError)]
for type_ in [*_classes, "a_new_type"]:
    body = {"error": {"type": type_, "code": "a_code", "message": "No.", "param": "title", "request_id": "req_1"}}
    errors.append(error_of(400, {"Retry-After": "7"}, body))
for error in errors:
    error.idempotency_key, error.is_outcome_unknown = "order-1", True
copies = [[fields_of(made(error)) for error in errors] for made in (copy.copy, lambda e: pickle.loads(pickle.dumps(e)))]
with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
    from_pool = pool.submit(refused).exception()
print(json.dumps({"errors": [fields_of(error) for error in errors], "copies": copies, "from_pool": fields_of(from_pool)[0]}))`;

test.skipIf(!hasTool('python3'))(
  'errors of the Python client can be copied, pickled and raised in a process pool',
  async () => {
    const env = { PATH: process.env.PATH ?? '', PYTHONPATH: resolve('packages/client-python') };
    const { stdout, stderr } = await execute('python3', ['-c', script], env, '.');
    expect(stderr).toBe('');
    const { errors, copies, from_pool } = JSON.parse(stdout.toString());
    expect(errors[3]).toEqual([
      'AuthenticationError',
      ...['No.', 400, 'authentication_error', 'a_code', 'title', 'req_1', 7, 'order-1', true],
    ]);
    expect(copies).toEqual([errors, errors]);
    expect(from_pool).toBe('NotFoundError');
  },
);
