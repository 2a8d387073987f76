import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What the OAuth server keeps, where a test can look and take away. */
export interface OauthStore {
  adapter(model: string): Adapter;
  /** Of one kind, such as `AccessToken`: gone, as if they had ended. */
  forget(model: string): void;
  /** How many of one kind there are that were not used up. */
  count(model: string): number;
  /** Every id that there ever was of one kind: tokens and codes are their own. */
  everySeen(model: string): string[];
}

/** `toleratesReuse`: a refresh token that was exchanged is taken again. Else its whole grant ends, as with strict vendors. */
export function createOauthStore({ toleratesReuse }: { toleratesReuse: boolean }): OauthStore {
  const kept = new Map<string, { payload: AdapterPayload; endsAt: number }>();
  const seen: { model: string; id: string }[] = [];
  const nameOf = (model: string, id: string) => `${model}:${id}`;
  const read = (name: string) => {
    const found = kept.get(name);
    return found === undefined || found.endsAt <= Date.now() ? undefined : found.payload;
  };

  return {
    adapter: (model) => ({
      async upsert(id, payload, expiresIn) {
        seen.push({ model, id });
        kept.set(nameOf(model, id), { payload, endsAt: Date.now() + (expiresIn ?? 86_400) * 1000 });
      },
      async find(id) {
        return read(nameOf(model, id));
      },
      async findByUid(uid) {
        return [...kept.values()].find(({ payload }) => payload.uid === uid)?.payload;
      },
      async findByUserCode() {
        return undefined;
      },
      async consume(id) {
        const payload = read(nameOf(model, id));
        const isKept = toleratesReuse && model === 'RefreshToken';
        if (payload !== undefined && !isKept) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        kept.delete(nameOf(model, id));
      },
      async revokeByGrantId(grantId) {
        for (const [name, { payload }] of kept) if (payload.grantId === grantId) kept.delete(name);
      },
    }),

    forget(model) {
      for (const name of kept.keys()) if (name.startsWith(`${model}:`)) kept.delete(name);
    },

    count: (model) =>
      [...kept].filter(([name, { payload }]) => name.startsWith(`${model}:`) && payload.consumed === undefined).length,

    everySeen: (model) => seen.filter((entry) => entry.model === model).map(({ id }) => id),
  };
}
