import { type Static, Type } from 'typebox';
import { auditAccount } from '../../accounts/account-audit.ts';
import { lockPerson } from '../../identity/people.ts';
import {
  type MarkContent,
  readSavedSignatures,
  removeSavedSignatures,
  type SavedMark,
  type SavedSignature,
  savedMarks,
  saveSignature,
} from '../../identity/saved-signatures.ts';
import { readContent } from '../../signing/mark-content.ts';
import { signingAssets } from '../../signing/pages/assets.ts';
import { SigningError } from '../../signing/signing-error.ts';
import { initialsLengthMax, nameLengthMax } from '../../signing/text-lengths.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';
import { RawAnswer } from '../core/raw-answer.ts';

const needsOwnSignIn = true;
const mark = Type.Enum([...savedMarks]);
const made = Type.Object({
  mark,
  kind: Type.Enum(['typed', 'drawn', 'uploaded']),
  text: Type.Optional(Type.String()),
  png: Type.Optional(Type.String()),
});

/** The signature and initials that the caller keeps. They belong to the person, and only members keep any. */
export const ownSignatureEndpoints = [
  forMembers('GET /own-signature', 'member', { needsOwnSignIn }, show),
  forMembers('POST /own-signature', 'member', { needsOwnSignIn, body: made }, save),
  forMembers('GET /own-signature/picture', 'member', { needsOwnSignIn }, showPicture),
  forMembers('POST /own-signature/remove', 'member', { needsOwnSignIn, body: Type.Object({ mark }) }, remove),
];

/** `assets`: what the page needs to make and show them, as the signing pages do. */
async function show({ db, secretBox }: ConsoleDeps, { caller }: MemberCall) {
  const saved = await readSavedSignatures(db, secretBox, caller.person.id);
  const { urlOf } = signingAssets();
  return {
    signature: savedJson(saved.signature),
    initials: savedJson(saved.initials),
    limits: { signature: nameLengthMax, initials: initialsLengthMax },
    assets: {
      signature_pad: urlOf('signature-pad.js'),
      handwriting: [urlOf('handwriting-latin.woff2'), urlOf('handwriting-latin-ext.woff2')],
    },
  };
}

function savedJson(saved: SavedSignature | null) {
  if (saved === null) return null;
  const { id, savedAt, content } = saved;
  return { id, kind: content.kind, text: content.kind === 'typed' ? content.text : null, saved_at: savedAt };
}

/** Checks it as the signing page's is checked. Throws `invalid_input`. */
async function save({ world, db, secretBox }: ConsoleDeps, { caller, body }: MemberCall<Static<typeof made>>) {
  const { mark } = body;
  const content = contentOf(mark, body);
  await db.transaction((tx) => saveSignature(world, tx, secretBox, caller.person.id, mark, content));
}

function contentOf(mark: SavedMark, body: Static<typeof made>): MarkContent {
  try {
    return readContent(mark, body);
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    throw new ConsoleError('invalid_input', { param: body.kind === 'typed' ? 'text' : 'png' });
  }
}

/** A picture that only this browser's person may see: no cache keeps it. */
async function showPicture({ db, secretBox }: ConsoleDeps, { caller, query }: MemberCall) {
  const mark = savedMarks.find((known) => known === query.mark);
  if (mark === undefined) throw new ConsoleError('invalid_input', { param: 'mark' });
  const content = (await readSavedSignatures(db, secretBox, caller.person.id))[mark]?.content;
  if (content === undefined || content.kind === 'typed') throw new ConsoleError('not_found');
  return new RawAnswer(content.png, {
    'content-type': 'image/png',
    'content-disposition': `inline; filename="${mark}.png"`,
    'cache-control': 'no-store',
  });
}

async function remove({ world, db }: ConsoleDeps, { caller, body: { mark } }: MemberCall<{ mark: SavedMark }>) {
  const personId = caller.person.id;
  await db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    const [removed] = await removeSavedSignatures(tx, personId, [mark]);
    if (removed === undefined) throw new ConsoleError('not_found');
    await auditAccount(world, tx, { accountId: null, personId, action: 'saved_signature_removed', detail: { mark } });
  });
}
