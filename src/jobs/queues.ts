import type { Job } from '../messages/job-queue.ts';

interface QueueSettings {
  policy: 'standard' | 'exclusive';
  retryLimit: number;
  retryDelay: number;
  retryDelayMax: number;
  expireInSeconds: number;
  /** How far apart the places of one company's jobs are: no less than a worker takes for most of them. */
  secondsApart: number;
}

/** The settings of each queue. */
/* biome-ignore format: a table reads as a table */
export const queues: Record<Job['name'], QueueSettings> = {
  // Back-off of 5 s doubling to an hour: about twelve hours of trying. An e-mail waits up to 90 s for a connection to the mail server, and is
  // then delivered within 90 s.
  'deliver-message': { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'deliver-notice':  { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  // Apart from e-mails, which don't wait for a slow SMS provider.
  'deliver-sms':     { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120, secondsApart: 1 },
  // Sealing is never given up on: what is left after a day of trying, the sweep enqueues again.
  'seal-document':   { policy: 'exclusive', retryLimit: 30, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120, secondsApart: 1 },
  // As sealing, which makes the missing ones too.
  'attest-act':      { policy: 'exclusive', retryLimit: 30, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 120, secondsApart: 1 },
  // A large scanned file takes its time; one that was cut off five times is given up by its own count.
  'unlock-document': { policy: 'exclusive', retryLimit: 10, retryDelay: 5, retryDelayMax: 600,  expireInSeconds: 1200, secondsApart: 30 },
  // The scheduled job enqueues what is left after the last attempt.
  'send-bulk-rows':  { policy: 'exclusive', retryLimit: 20, retryDelay: 5, retryDelayMax: 600,  expireInSeconds: 120, secondsApart: 1 },
  'tell-owner':      { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'ask-owner':       { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'tell-of-review':  { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'tell-of-schedule': { policy: 'standard', retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'tell-of-bulk-send': { policy: 'standard', retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'tell-of-export':  { policy: 'standard',  retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'tell-of-audit-stream': { policy: 'standard', retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
  'notify-new-browser': { policy: 'standard', retryLimit: 20, retryDelay: 5, retryDelayMax: 3600, expireInSeconds: 240, secondsApart: 1 },
};

/** The names of all queues. */
export const queueNames = (): Job['name'][] => Object.keys(queues) as Job['name'][];

/** The NOTIFY channel of a queue's workers. */
export function channelOf(name: Job['name']): string {
  return `jobs_${name.replaceAll('-', '_')}`;
}
