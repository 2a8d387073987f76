import type { HostConcern } from '../../public-fetch/public-fetch.ts';

/** The console words it in the user's language. */
export function hostConcernJson({ code, host }: HostConcern) {
  return { code, host };
}
