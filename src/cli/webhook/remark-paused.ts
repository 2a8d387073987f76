import type { Queryable } from '../../postgres/database.ts';
import { findEndpoint } from '../../webhooks/manage-endpoints.ts';
import { remark } from '../core/terminal.ts';

/** Says that deliveries to a paused endpoint wait. */
export async function remarkPaused(db: Queryable, id: string): Promise<void> {
  const endpoint = await findEndpoint(db, id);
  if (endpoint?.paused_at) remark(`the endpoint is paused: this waits until countersign webhook resume ${id}`);
}
