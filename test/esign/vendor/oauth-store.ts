import type { Adapter, AdapterPayload } from 'oidc-provider';

/** The data of the OAuth server, which tests can read and delete. */
export interface OauthStore {
  adapter(model: string): Adapter;
  /** Deletes all entries of one kind, such as `AccessToken`, as if they had expired. */
  forget(model: string): void;
  /** Counts the unused entries of one kind. */
  count(model: string): number;
  /** All ids that ever existed of one kind. The id of a token or code is itself. */
  everySeen(model: string): string[];
}

/** `toleratesReuse`: a used refresh token is accepted again. Otherwise its grant ends, as with strict vendors. */
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
