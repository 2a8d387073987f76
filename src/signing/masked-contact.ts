/**
 * Contact details as the certificate of completion prints them, which every party gets: enough for someone to know their
 * own, too little to learn another's.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first] = [...new Intl.Segmenter().segment(email.slice(0, at))];
  return `${first?.segment ?? ''}•••${email.slice(at)}`;
}

/** Of a number with at least six digits the last two. */
export function maskedPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length < 6 ? '•••' : `•••${digits.slice(-2)}`;
}
