import { createRequire } from 'node:module';

export interface FileStoreServer {
  /** The settings of a service that keeps its files here. */
  settings: Record<string, string>;
  out(): Promise<void>;
  back(): Promise<void>;
}

const S3rver = createRequire(import.meta.url)('s3rver') as new (
  options: object,
) => { run(): Promise<{ port: number }>; close(): Promise<void> };

/** Starts an S3-compatible server whose files survive while it is out. */
export async function startFileStore(directory: string): Promise<FileStoreServer> {
  const start = async (port: number) => {
    const configureBuckets = [{ name: 'documents' }];
    const server = new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets });
    return { server, port: (await server.run()).port };
  };
  let { server, port } = await start(0);
  return {
    settings: {
      FILES_URL: 's3://documents',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
    },
    out: () => server.close(),
    async back() {
      ({ server, port } = await start(port));
    },
  };
}
