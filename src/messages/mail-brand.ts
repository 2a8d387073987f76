import { readBrand } from '../branding/brand.ts';
import { type BrandText, listBrandTexts } from '../branding/email-texts.ts';
import { fitLogo, readLogo } from '../branding/logo.ts';
import type { MailMessage } from '../platform/mail.ts';
import type { Queryable } from '../postgres/database.ts';
import type { EmailLook } from './email-content.ts';

/** The parts of an e-mail to a recipient that a company's brand changes. */
export interface MailBrand {
  look: EmailLook;
  senderName: string | null;
  texts: readonly BrandText[];
  /** The headers of the e-mail, and the picture that it shows. */
  envelope: Pick<MailMessage, 'senderName' | 'replyTo' | 'pictures'>;
}

/** The largest logo in an e-mail, in CSS pixels. */
const logoBox = { width: 220, height: 44 };
/** Names the logo within the e-mail. */
const logoId = 'logo@countersign';

/**
 * Reads how e-mails of a company look. The logo is part of each e-mail: many programs show such a picture at once, but ask
 * before they load one from a server. It tells nobody when the e-mail is read, and it stays when the company changes its logo.
 * `senderEmail`: the address of the member who sent the document, or null.
 */
export async function readMailBrand(db: Queryable, accountId: string, senderEmail: string | null): Promise<MailBrand> {
  const [brand, texts, logo] = await Promise.all([
    readBrand(db, accountId),
    listBrandTexts(db, accountId),
    readLogo(db, accountId),
  ]);
  const replyTo = (brand.alwaysReplyTo ? null : senderEmail) ?? brand.replyTo ?? senderEmail;
  return {
    look: {
      accent: brand.accent,
      logo: brand.logo && logo && { source: `cid:${logoId}`, ...fitLogo(brand.logo, logoBox) },
    },
    senderName: brand.senderName,
    texts,
    envelope: {
      senderName: brand.senderName,
      replyTo,
      pictures:
        logo === null ? [] : [{ id: logoId, name: `logo.${logo.type}`, type: `image/${logo.type}`, bytes: logo.bytes }],
    },
  };
}
