import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { type SigningKey, SigningKeyError } from '../../signing-key/signing-key.ts';
import { readChangedPage } from '../attached/changed-page-error.ts';
import { CertificateError } from '../certificate/certificate-error.ts';
import { answerSignatures } from './answer-signatures.ts';
import { confinedStart } from './confinement.ts';
import type { JobAnswer, ProcessMessage, SignatureWish } from './messages.ts';
import { createOwnOutput } from './own-output.ts';
import { PdfWorkerError, type PdfWorkerFailure, ProcessGoneError } from './pdf-worker-error.ts';
import { residentMemory } from './resident-memory.ts';

export interface ProcessLimits {
  /** Names its kind, which has a compile cache of its own. */
  name: string;
  /** The module that the process runs: it calls `serveJobs`. */
  entry: string;
  /** Of one job. */
  timeoutMs: number;
  /** Resident memory of the process. */
  memoryMaxBytes: number;
  /** Jobs after which a process is replaced, so that nothing it may leak adds up. */
  jobsMax: number;
  /** May reach the network. Default: no. */
  network?: boolean;
  /** Directories that it may write to, besides one of its own for the file that a job names `output`. */
  writable?: readonly string[];
  /** Signs what a job asks for. Default: nothing is signed. */
  signingKey?: SigningKey | null;
}

/** One forked process that runs a job at a time. */
export interface PdfProcess {
  /** Throws a `ProcessGoneError` if it ended while it was idle, and nothing of the job has happened. */
  run(job: object): Promise<unknown>;
  /** False once it has ended or has done its share of jobs. */
  isUsable(): boolean;
  /** Makes an idle process end by itself, very soon. */
  retire(): void;
  kill(failure: PdfWorkerFailure, message: string): void;
  /** Settles when it has ended. */
  ended: Promise<void>;
}

const memoryPollMs = 50;
/** The rest of the memory is for code, buffers and stacks. */
const heapShare = 0.6;
/** A process found above this is replaced after the job, before garbage of earlier ones fails an innocent one. */
const wornShare = 0.6;

export function startPdfProcess(limits: ProcessLimits): PdfProcess {
  const output = createOwnOutput();
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
    run: (job) => output.around(job, runJob),
  };

  async function runJob(job: object): Promise<unknown> {
    jobs += 1;
    setReferenced(child, true);
    const timer = setTimeout(
      () => kill('timeout', `the PDF took longer than ${limits.timeoutMs} ms`),
      limits.timeoutMs,
    );
    const stopWatching = watchMemory(child, (bytes) => {
      resident = bytes;
      if (bytes > limits.memoryMaxBytes)
        kill('memory', `the PDF took more than ${mebibytes(limits.memoryMaxBytes)} MiB of memory`);
    });
    const talk = talkTo(child, job, answerSignatures(child, limits.signingKey ?? null));
    try {
      const answer = await Promise.race([talk.answer, ended]);
      if (answer !== undefined) return resultOf(answer);
      const wasGone = jobs > 1 && !talk.isAccepted() && endReason?.failure === 'crashed';
      throw wasGone ? new ProcessGoneError() : endReason;
    } finally {
      clearTimeout(timer);
      stopWatching();
      talk.end();
      setReferenced(child, false);
    }
  }
}

function forkChild(limits: ProcessLimits, ownDirectory: string): ChildProcess {
  const { name, entry, memoryMaxBytes, network = false, writable = [] } = limits;
  const cache = compileCacheOf(name);
  const nodeFlags = [
    ...process.execArgv, // how this process was taught to run TypeScript, where it was; the limits below outdo its own
    `--max-old-space-size=${mebibytes(memoryMaxBytes * heapShare)}`,
    '--max-semi-space-size=4', // a third less resident memory for a tenth less speed
    '--use-system-ca', // for a time-stamp authority with a certificate of the operator's own
  ];
  const permissions = { network, writable: [...writable, ownDirectory, ...(cache === null ? [] : [cache])] };
  return fork(entry, [String(process.pid)], {
    ...confinedStart(permissions, nodeFlags),
    // No secret of the service's environment, and no option meant for the service.
    env: cache === null ? {} : { NODE_COMPILE_CACHE: cache },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/**
 * Where Node keeps what it has compiled: with it a process starts in a third of the time. Node needs to write there, so each
 * kind of process has its own: none can change the code that the service or another kind runs.
 */
function compileCacheOf(name: string): string | null {
  const ofThisNode = getCompileCacheDir();
  return ofThisNode === undefined ? null : join(dirname(ofThisNode), `pdf-${name}`);
}

function talkTo(child: ChildProcess, job: object, sign: (wish: SignatureWish) => Promise<void>) {
  const { promise: answer, resolve } = Promise.withResolvers<JobAnswer>();
  let isAccepted = false;
  const hear = (message: unknown) => {
    const said = message as ProcessMessage;
    if (said.kind === 'accepted') isAccepted = true;
    else if (said.kind === 'sign') void sign(said);
    else resolve(said);
  };
  child.on('message', hear);
  // A failure to send means that the process is ending, which its exit reports better.
  child.send(job, () => {});
  return { answer, isAccepted: () => isAccepted, end: () => child.off('message', hear) };
}

function resultOf(answer: JobAnswer): unknown {
  if (answer.ok) return answer.result;
  const changedPage = readChangedPage(answer);
  if (changedPage !== null) throw changedPage;
  if (answer.name === 'CertificateError') throw new CertificateError(answer.message);
  if (answer.name === 'SigningKeyError') throw new SigningKeyError(answer.message);
  throw new PdfWorkerError('failed', answer.message);
}

/** Buffers live outside the heap that V8 limits, so the process is watched from here, beginning at once. */
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

/** An idle process must not keep the service from ending. */
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
