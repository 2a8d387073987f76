/**
 * Masks an email address for the certificate of completion, which every recipient gets. Recipients can recognize their
 * own address but cannot learn another's.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first] = [...new Intl.Segmenter().segment(email.slice(0, at))];
  return `${first?.segment ?? ''}•••${email.slice(at)}`;
}

/** Masks a phone number. Keeps the last two digits if it has at least six. */
export function maskedPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length < 6 ? '•••' : `•••${digits.slice(-2)}`;
}
