import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Returns the resident memory of a process in bytes, or null when the process has ended, and on Windows. */
export async function residentMemory(pid: number): Promise<number | null> {
  if (process.platform === 'win32') return null;
  const kibibytes = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return kibibytes === null ? null : kibibytes * 1024;
}

async function fromProc(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return resident === undefined ? null : Number(resident);
}

function fromPs(pid: number): Promise<number | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, stdout) => {
      resolve(error === null ? Number(stdout.trim()) : null);
    });
  });
}
