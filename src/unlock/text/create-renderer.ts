import { fileURLToPath } from 'node:url';
import { createProcessPool } from '../../pdf/process/process-pool.ts';
import type { Log } from '../../platform/log.ts';
import type { Rendering, RenderJob, RenderResult } from './render/jobs.ts';

/** Makes PDFs of unlocked documents in a child process with limits on time and memory. */
export interface Renderer {
  /**
   * Makes a PDF. Throws a `PdfWorkerError`: `busy` when too many jobs wait, `timeout`, `memory` or `crashed` when the
   * document takes too much, `closed`, or `failed`.
   */
  render(job: Omit<RenderJob, 'kind'>): Promise<Rendering>;
  close(): Promise<void>;
}

export interface RendererOptions {
  log: Log;
  /** Limit for one document. */
  timeoutMs?: number;
  /** Limit for one process. */
  memoryMaxBytes?: number;
}

const entry = fileURLToPath(new URL('./render/main.ts', import.meta.url));
const timeoutMsDefault = 120_000;
const memoryMaxBytesDefault = 1024 * 2 ** 20;

export function createRenderer({ log, timeoutMs, memoryMaxBytes }: RendererOptions): Renderer {
  const pool = createProcessPool<RenderJob, RenderResult>({
    name: 'render',
    entry,
    log,
    processes: 1,
    queueMax: 20,
    timeoutMs: timeoutMs ?? timeoutMsDefault,
    memoryMaxBytes: memoryMaxBytes ?? memoryMaxBytesDefault,
    jobsMax: 100,
    idleMs: 10_000,
  });
  return { render: (job) => pool.run<'render'>({ kind: 'render', ...job }), close: () => pool.close() };
}
