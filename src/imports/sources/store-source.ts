import { Type } from 'typebox';
import { ApiError } from '../../errors.ts';
import { bodyValidator } from '../../http/validate-body.ts';
import { linkContext } from '../create-import.ts';
import { fileBytesMax } from '../import.ts';
import type { ImportDeps } from '../import-deps.ts';
import { inParallel } from '../in-parallel.ts';
import { storeFile } from './cloud-files.ts';
import { type FileRequest, type FileSource, reservationOf } from './file-source.ts';
import {
  bodySchema,
  coded,
  fileNameSchema,
  fileSchema,
  filesSchema,
  namingFiles,
  unlockDocSchema,
} from './request-parts.ts';
import type { SourceFile } from './source-file.ts';

interface StoreRequest extends FileRequest {
  source: 'cloud_files';
  /** `url` is the address to download from. */
  files: ReadonlyArray<{ url: string; name: string | null }>;
}

const linkLengthMax = 2048;
/** Concurrent requests for sizes. */
const sizesAtOnce = 6;

const url = Type.String({
  maxLength: linkLengthMax,
  ...coded('invalid_file_url', 'cloud_files: a shared, chooser or temporary link to exactly one file.'),
});

const readBody = bodyValidator(
  bodySchema({ files: filesSchema(fileSchema({ url, name: fileNameSchema })), unlock_doc: unlockDocSchema }),
);

/** Files behind links of a cloud file store. The links are stored, encrypted, so any process can continue an import. */
export const storeSource: FileSource<StoreRequest> = {
  fileProperties: { url, name: fileNameSchema },
  properties: {},
  declaresSizes: false,
  read(body, links) {
    const { files, unlock_doc: unlockDoc = true } = namingFiles(() => readBody(body));
    const wanted = (files as Array<{ url: string; name?: string }>).map(({ url, name = null }, index) => {
      const checked = links.check(url);
      if ('refused' in checked) {
        throw new ApiError('invalid_file_url', {
          param: `files[${index}].url`,
          message: `url must be a link to exactly one file in the file store: ${checked.refused}.`,
        });
      }
      return { url: checked.url, name };
    });
    return { source: 'cloud_files', files: wanted, unlockDoc };
  },
  /**
   * A link doesn't tell its file's size. While there is room, each file reserves the largest size until its download
   * begins. If storage is short, the sizes are requested first.
   */
  async plan(deps, _accountId, request, bytesLeft) {
    const files = request.files.map((wanted) => storeFile({ ...deps, clock: deps.world.clock }, wanted));
    const isShort = bytesLeft < files.length * fileBytesMax;
    const reserved = isShort ? await declaredSizes(deps, files) : files.map((file) => reservationOf(file, null));
    return files.map((file, index) => {
      const { url } = request.files[index] as StoreRequest['files'][number];
      const encryptLink = (itemId: string) => deps.secretBox.encrypt(url, linkContext(itemId));
      return { file, encryptLink, reservedBytes: reserved[index] ?? 0 };
    });
  },
  async reopen(deps, request, open) {
    const sources = { ...deps, clock: deps.world.clock };
    return open.map(({ index }) => storeFile(sources, request.files[index as number] as StoreRequest['files'][number]));
  },
  encryptLink({ secretBox }, request, { id, index }) {
    const { url } = request.files[index as number] as StoreRequest['files'][number];
    return secretBox.encrypt(url, linkContext(id));
  },
  sizes: declaredSizes,
  /** If a link can't be decrypted because SECRET_KEY changed, its item ends as `interrupted`; a repeated request imports it. */
  resume(deps, open) {
    return open.map(({ id, name, sealed_link }) => {
      const url = sealed_link === null ? null : openLink(deps, id, sealed_link);
      if (url !== null) return { id, file: storeFile({ ...deps, clock: deps.world.clock }, { url, name }) };
      const content = { kind: 'fails', reason: 'interrupted' } as const;
      return { id, file: { name, declaredBytes: null, driveFileId: null, revision: null, linkHash: null, content } };
    });
  },
};

async function declaredSizes(
  { answering, stopping, limits }: ImportDeps,
  files: readonly SourceFile[],
): Promise<number[]> {
  const limit = AbortSignal.any([answering, stopping, AbortSignal.timeout(limits.sizesMsMax)]);
  const sizes = await inParallel(files, sizesAtOnce, (file) => declaredReservation(file, limit));
  // With guessed sizes, an import that fits could be refused.
  if (answering.aborted || stopping.aborted) throw new ApiError('import_not_started');
  return sizes;
}

async function declaredReservation(file: SourceFile, signal: AbortSignal): Promise<number> {
  if (file.content.kind === 'fails') return 0;
  const opened = await file.content.open(signal).catch((error) => {
    if (!signal.aborted) throw error;
    return null;
  });
  // A size that isn't known in time may be any.
  if (opened === null) return reservationOf(file, null);
  if (opened.kind === 'failed') return 0;
  opened.body.destroy();
  return reservationOf(file, opened.declaredBytes);
}

function openLink({ world, secretBox }: ImportDeps, id: string, sealedLink: Buffer): string | null {
  try {
    return secretBox.decrypt(sealedLink, linkContext(id));
  } catch (error) {
    world.log.error('the link of an import cannot be read', { item_id: id, error });
    return null;
  }
}
