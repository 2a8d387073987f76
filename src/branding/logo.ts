import { createHash } from 'node:crypto';
import { cleanJpeg } from '../pdf/jpeg/clean-jpeg.ts';
import { cleanPng } from '../pdf/png/clean-png.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { type BrandChange, type BrandLogo, changeBrand, type LogoType } from './brand.ts';

/**
 * In bytes and pixels. A logo is shown much smaller, and the console sends no larger one. Packing the pixels of more would keep
 * a process from answering others.
 */
export const logoBytesMax = 512 * 1024;
const limits = { bytesMax: logoBytesMax, widthMax: 1000, heightMax: 500 };
/** Written again, a picture may be a little larger, because not every program compresses alike. */
const storedBytesMax = 600 * 1024;

/** A picture that was checked and written again. */
export interface CleanLogo {
  type: LogoType;
  bytes: Buffer;
  width: number;
  height: number;
}

/**
 * Reads an untrusted logo and writes it again with nothing but its pixels: no metadata, comments, scripts or other files behind
 * it. Returns null if it is not a PNG or JPEG, is damaged, interlaced or too large.
 */
export function cleanLogo(bytes: Uint8Array): CleanLogo | null {
  const isJpeg = bytes[0] === 0xff;
  try {
    const picture = isJpeg ? cleanJpeg(bytes, limits) : cleanPng(bytes, limits);
    return picture.bytes.length > storedBytesMax ? null : { type: isJpeg ? 'jpeg' : 'png', ...picture };
  } catch {
    return null;
  }
}

/** Sets the logo, or removes it. Returns false as `changeBrand` does. */
export function saveLogo(world: World, tx: Tx, change: BrandChange, logo: CleanLogo | null): Promise<boolean> {
  const sha256 = logo && createHash('sha256').update(logo.bytes).digest();
  const detail = { changed: 'logo', sha256: sha256?.toString('hex') ?? null };
  return changeBrand(world, tx, change, detail, () =>
    tx.query({
      name: 'save_logo',
      text: `update brands set logo = $2, logo_type = $3, logo_sha256 = $4, logo_width = $5, logo_height = $6
             where account_id = $1`,
      values: [
        change.accountId,
        logo?.bytes ?? null,
        logo?.type ?? null,
        sha256,
        logo?.width ?? null,
        logo?.height ?? null,
      ],
    }),
  );
}

/** Returns the bytes of a company's logo. Null: it has none. */
export async function readLogo(db: Queryable, accountId: string): Promise<{ type: LogoType; bytes: Buffer } | null> {
  const [row] = await db.query<{ type: LogoType; bytes: Buffer }>({
    name: 'read_logo',
    text: 'select logo_type as type, logo as bytes from brands where account_id = $1 and logo is not null',
    values: [accountId],
  });
  return row ?? null;
}

/** Finds a logo by its content. The address of a logo has its hash and no company, so that it tells nothing about one. */
export async function findLogo(db: Queryable, sha256: string, type: LogoType): Promise<Buffer | null> {
  const [row] = await db.query<{ bytes: Buffer }>({
    name: 'find_logo',
    text: 'select logo as bytes from brands where logo_sha256 = $1 and logo_type = $2 limit 1',
    values: [Buffer.from(sha256, 'hex'), type],
  });
  return row?.bytes ?? null;
}

export function logoAddress({ sha256, type }: BrandLogo): string {
  return `/brand/logo/${sha256}.${type}`;
}

/** Returns the size in which a logo fits into a box. It is never enlarged. */
export function fitLogo(
  { width, height }: { width: number; height: number },
  box: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
