import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { fill, inLanguage, language } from '../language.ts';
import type { DocumentDetail } from './types.ts';

const english = {
  one: '{names} has no signature field. The signature will only be on the certificate, at the end of the PDF.',
  many: '{names} have no signature fields. Their signatures will only be on the certificate, at the end of the PDF.',
};
const spanish: typeof english = {
  one: '{names} no tiene un campo de firma. Su firma solo estará en el certificado, al final del PDF.',
  many: '{names} no tienen campos de firma. Sus firmas solo estarán en el certificado, al final del PDF.',
};
const text = inLanguage(english, spanish);
const list = new Intl.ListFormat(language, { type: 'conjunction' });

/** Before sending, names the signers who were given no place to sign, while the PDF has fields. */
export function UnmarkedSigners({ document }: { document: DocumentDetail }) {
  const { id, version, file, recipients } = document;
  const { data: fields = [] } = useQuery({
    queryKey: ['send', id, version],
    queryFn: async ({ signal }) => (await api.get('/documents/:id/fields', { params: { id }, signal })).data,
    enabled: file !== null,
  });
  const hasPlace = (recipient: string) =>
    fields.some((field) => field.recipient === recipient && field.type === 'signature');
  const names = recipients.filter(({ id, kind }) => kind === 'signer' && !hasPlace(id)).map(({ name }) => name);
  if (fields.length === 0 || names.length === 0) return null;
  return <p>{fill(names.length === 1 ? text.one : text.many, { names: list.format(names) })}</p>;
}
