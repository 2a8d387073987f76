import { auditAccount } from '../accounts/account-audit.ts';
import { isVisible } from '../platform/plain-line.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';

/** How a company looks to the recipients of its documents. Null: as without a brand. */
export interface Brand {
  /** Counts changes. 0: none yet. */
  version: number;
  /** `#rrggbb` */
  accent: string | null;
  /** The name in front of "via Countersign" in the From header. */
  senderName: string | null;
  replyTo: string | null;
  /** Whether answers go to `replyTo` even when a member sent the document. */
  alwaysReplyTo: boolean;
  logo: BrandLogo | null;
}

export interface BrandLogo {
  type: LogoType;
  /** Hex. */
  sha256: string;
  /** In pixels. */
  width: number;
  height: number;
}

export type LogoType = 'png' | 'jpeg';

const noBrand: Brand = {
  version: 0,
  accent: null,
  senderName: null,
  replyTo: null,
  alwaysReplyTo: false,
  logo: null,
};

/** In Unicode code points. */
const senderNameLengthMax = 60;
/**
 * Characters that a sender's name can't have: those that separate it from the address or imitate one, control characters and
 * invisible ones, but not the joiners of emoji and Persian.
 */
const foreignToNames = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]|[<>@"\\]/u;

export function isSenderName(text: string): boolean {
  // Forms such as a full-width @ imitate an address too.
  const isForeign = foreignToNames.test(text) || foreignToNames.test(text.normalize('NFKC'));
  return isVisible(text) && !isForeign && [...text].length <= senderNameLengthMax;
}

const columns = `version, accent, sender_name, reply_to, always_reply_to, logo_type, encode(logo_sha256, 'hex') as logo_sha256,
  logo_width, logo_height`;

interface BrandRow {
  version: number;
  accent: string | null;
  sender_name: string | null;
  reply_to: string | null;
  always_reply_to: boolean;
  logo_type: LogoType | null;
  logo_sha256: string | null;
  logo_width: number | null;
  logo_height: number | null;
}

export async function readBrand(db: Queryable, accountId: string): Promise<Brand> {
  const [row] = await db.query<BrandRow>({
    name: 'read_brand',
    text: `select ${columns} from brands where account_id = $1`,
    values: [accountId],
  });
  return row === undefined ? noBrand : brandOf(row);
}

function brandOf(row: BrandRow): Brand {
  const { logo_type: type, logo_sha256: sha256 } = row;
  return {
    version: row.version,
    accent: row.accent,
    senderName: row.sender_name,
    replyTo: row.reply_to,
    alwaysReplyTo: row.always_reply_to,
    logo:
      type === null || sha256 === null
        ? null
        : { type, sha256, width: row.logo_width ?? 1, height: row.logo_height ?? 1 },
  };
}

/** Who changes a brand, and the version that they have seen. `personId`: for the account's audit log, null for an operator. */
export interface BrandChange {
  accountId: string;
  personId: string | null;
  version: number;
}

/**
 * Locks the brand, passes it to `change` and counts the change, with an audit entry that names what was changed. Returns false,
 * and changes nothing, if someone else has changed the brand since `version`.
 */
export async function changeBrand(
  world: World,
  tx: Tx,
  { accountId, personId, version }: BrandChange,
  changed: Record<string, unknown>,
  change: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  await tx.query({
    name: 'begin_brand',
    // Waits for an erasure of the account, and then adds nothing.
    text: `insert into brands (account_id, version)
           select id, 0 from accounts where id = $1 and removed_at is null for key share on conflict do nothing`,
    values: [accountId],
  });
  const counted = await tx.query({
    name: 'count_brand_change',
    text: 'update brands set version = version + 1 where account_id = $1 and version = $2 returning 1',
    values: [accountId, version],
  });
  if (counted.length === 0) return false;
  await change(tx);
  await auditAccount(world, tx, { accountId, personId, action: 'brand_changed', detail: changed });
  return true;
}

export type BrandSettings = Pick<Brand, 'accent' | 'senderName' | 'replyTo' | 'alwaysReplyTo'>;

/** Sets everything but the logo and the texts. Returns false as `changeBrand` does. */
export function saveBrandSettings(
  world: World,
  tx: Tx,
  change: BrandChange,
  settings: BrandSettings,
): Promise<boolean> {
  const { accent, senderName, replyTo, alwaysReplyTo } = settings;
  return changeBrand(world, tx, change, { changed: 'settings', accent }, () =>
    tx.query({
      name: 'save_brand_settings',
      text: `update brands set accent = $2, sender_name = $3, reply_to = $4, always_reply_to = $5 where account_id = $1`,
      values: [change.accountId, accent, senderName, replyTo, alwaysReplyTo],
    }),
  );
}
