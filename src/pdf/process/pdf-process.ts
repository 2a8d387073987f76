import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import type { SigningKey } from '../signing-key/signing-key.ts';
import { answerSignatures } from './answer-signatures.ts';
import { confinedStart } from './confinement.ts';
import type { JobAnswer, ProcessMessage, SignatureMessage } from './messages.ts';
import { createOutputDirectory } from './output-directory.ts';
import { PdfWorkerError, type PdfWorkerFailure, ProcessGoneError } from './pdf-worker-error.ts';
import { residentMemory } from './resident-memory.ts';

export interface ProcessLimits {
  /** Kind of process. Each kind has its own compile cache. */
  name: string;
  /** Path of the module that the process runs. It calls `serveJobs`. */
  entry: string;
  /** Time limit of one job, unless it has its own. */
  timeoutMs: number;
  /** Limit of the resident memory. */
  memoryMaxBytes: number;
  /** Jobs after which the process is replaced, which limits memory leaks. */
  jobsMax: number;
  /** Whether the process may use the network. Default: false. */
  network?: boolean;
  /** Directories that the process may write to, in addition to its own output directory. */
  writable?: readonly string[];
  /** Signs for the jobs of the process. Default: signature requests are refused. */
  signingKey?: SigningKey | null;
  /** Rebuilds an error of a job from its name and message. Null for errors that become a `PdfWorkerError`. */
  readError?: (error: Pick<Error, 'name' | 'message'>) => Error | null;
}

/** A forked process that runs one job at a time. */
export interface PdfProcess {
  /** Runs a job. Throws a `ProcessGoneError` when the process ended before it accepted the job. */
  run(job: object, timeoutMs?: number): Promise<unknown>;
  /** Whether the process can take another job. */
  isUsable(): boolean;
  /** Makes an idle process exit. */
  retire(): void;
  kill(failure: PdfWorkerFailure, message: string): void;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
}

const memoryPollMs = 50;
/** Share of the memory for the heap. The rest is for code, buffers and stacks. */
const heapShare = 0.6;
/** Share of the memory above which a process is replaced after a job, so that its garbage does not fail the next job. */
const wornShare = 0.6;

export function startPdfProcess(limits: ProcessLimits): PdfProcess {
  const output = createOutputDirectory();
  const child = forkChild(limits, output.directory);
  let jobs = 0;
  let resident = 0;
  let endReason: PdfWorkerError | null = null;
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: PdfWorkerError) => {
      hasEnded = true;
      endReason ??= reason;
      resolve();
    };
    child.once('exit', (code, signal) => {
      end(new PdfWorkerError('crashed', `the PDF process ended unexpectedly (${signal ?? `exit code ${code}`})`));
    });
    child.once('error', (error) => {
      if (child.pid === undefined)
        end(new PdfWorkerError('crashed', `no PDF process could be started: ${error.message}`));
    });
  });

  const kill = (failure: PdfWorkerFailure, message: string) => {
    endReason ??= new PdfWorkerError(failure, message);
    setReferenced(child, true);
    child.kill('SIGKILL');
  };

  return {
    ended,
    kill,
    isUsable() {
      const isWorn = jobs >= limits.jobsMax || resident > limits.memoryMaxBytes * wornShare;
      return !hasEnded && endReason === null && child.connected && !isWorn;
    },
    retire() {
      setReferenced(child, true);
      if (child.connected) child.disconnect();
    },
    run: (job, timeoutMs = limits.timeoutMs) => output.run(job, (placed) => runJob(placed, timeoutMs)),
  };

  async function runJob(job: object, timeoutMs: number): Promise<unknown> {
    jobs += 1;
    setReferenced(child, true);
    const timer = setTimeout(() => kill('timeout', `the PDF took longer than ${timeoutMs} ms`), timeoutMs);
    const stopWatching = watchMemory(child, (bytes) => {
      resident = bytes;
      if (bytes > limits.memoryMaxBytes)
        kill('memory', `the PDF took more than ${mebibytes(limits.memoryMaxBytes)} MiB of memory`);
    });
    const exchange = sendJob(child, job, answerSignatures(child, limits.signingKey ?? null));
    try {
      const answer = await Promise.race([exchange.answer, ended]);
      if (answer !== undefined) return resultOf(answer, limits.readError);
      const wasGone = jobs > 1 && !exchange.isAccepted() && endReason?.failure === 'crashed';
      throw wasGone ? new ProcessGoneError() : endReason;
    } finally {
      clearTimeout(timer);
      stopWatching();
      exchange.end();
      setReferenced(child, false);
    }
  }
}

function forkChild(limits: ProcessLimits, outputDirectory: string): ChildProcess {
  const { name, entry, memoryMaxBytes, network = false, writable = [] } = limits;
  const cache = compileCacheOf(name);
  const nodeFlags = [
    // Flags for TypeScript, if any; the limits below override those of this process. `--expose-gc` is only for the service: it
    // would give the process a compile cache other than the one that bin/warm-up.mjs fills.
    ...process.execArgv.filter((flag) => flag !== '--expose-gc'),
    `--max-old-space-size=${mebibytes(memoryMaxBytes * heapShare)}`,
    '--max-semi-space-size=4', // a third less resident memory for a tenth less speed
    '--use-system-ca', // for a time-stamp authority with a private CA
  ];
  const permissions = { network, writable: [...writable, outputDirectory, ...(cache === null ? [] : [cache])] };
  return fork(entry, [String(process.pid)], {
    ...confinedStart(permissions, nodeFlags),
    // The environment of the service contains secrets, so the process does not get it.
    env: cache === null ? {} : { NODE_COMPILE_CACHE: cache },
    serialization: 'advanced',
    // In a group of its own: Ctrl-C and a SIGTERM to the group of the service are for the service, which lets the job end.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/**
 * Returns the directory of Node's compile cache, which makes a process start three times as fast. Node must be able to
 * write there. Each kind of process has its own cache, so that it cannot change the code of the service or of another kind.
 */
function compileCacheOf(name: string): string | null {
  const serviceCache = getCompileCacheDir();
  return serviceCache === undefined ? null : join(dirname(serviceCache), `pdf-${name}`);
}

function sendJob(child: ChildProcess, job: object, sign: (message: SignatureMessage) => Promise<void>) {
  const { promise: answer, resolve } = Promise.withResolvers<JobAnswer>();
  let isAccepted = false;
  const receive = (received: unknown) => {
    const message = received as ProcessMessage;
    if (message.kind === 'accepted') isAccepted = true;
    else if (message.kind === 'sign') void sign(message);
    else resolve(message);
  };
  child.on('message', receive);
  // Sending fails only when the process is ending. Its exit event reports that.
  child.send(job, () => {});
  return { answer, isAccepted: () => isAccepted, end: () => child.off('message', receive) };
}

function resultOf(answer: JobAnswer, readError: ProcessLimits['readError']): unknown {
  if (answer.ok) return answer.result;
  throw readError?.(answer) ?? new PdfWorkerError('failed', answer.message);
}

/** Reports the resident memory of a process regularly. V8 limits only its heap, which does not include buffers. */
function watchMemory(child: ChildProcess, report: (bytes: number) => void): () => void {
  let isWatching = true;
  const look = async () => {
    const resident = child.pid === undefined ? null : await residentMemory(child.pid);
    if (!isWatching) return;
    if (resident !== null) report(resident);
    setTimeout(look, memoryPollMs).unref();
  };
  void look();
  return () => {
    isWatching = false;
  };
}

/** Sets whether a process keeps the service running. An idle one must not. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  if (isReferenced) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}
