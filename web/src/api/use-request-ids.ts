import { useState } from 'react';
import { randomId } from './random-id.ts';

/** Returns a function that gives each body its `request_id`, so that it creates one thing however often it is sent. */
export function useRequestIds(): <Body extends object>(body: Body) => Body & { request_id: string } {
  const [ids] = useState(() => new Map<string, string>());
  return (body) => {
    const content = JSON.stringify(body);
    const id = ids.get(content) ?? randomId();
    ids.set(content, id);
    return { ...body, request_id: id };
  };
}
