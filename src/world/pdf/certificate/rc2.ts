/**
 * RC2 in CBC mode, decryption only (RFC 2268). Key chains of macOS and old Windows and OpenSSL still encrypt the
 * certificates of a PKCS#12 file with 40-bit RC2, which the OpenSSL inside Node no longer knows.
 */
export function decryptRc2Cbc(key: Buffer, iv: Buffer, ciphertext: Buffer): Buffer {
  if (ciphertext.length === 0 || ciphertext.length % 8 !== 0) throw new Error('RC2 text is not made of whole blocks');
  const roundKeys = expandKey(key);
  const plain = Buffer.alloc(ciphertext.length);
  for (let at = 0; at < ciphertext.length; at += 8) {
    const block = decryptBlock(roundKeys, ciphertext, at);
    const previous = at === 0 ? iv : ciphertext.subarray(at - 8, at);
    for (let i = 0; i < 8; i++) plain[at + i] = (block[i] ?? 0) ^ (previous[i] ?? 0);
  }
  return withoutPadding(plain);
}

/** Round keys K[0..63] for an effective key length equal to the key's own length (RFC 2268, section 2). */
function expandKey(key: Buffer): Uint16Array {
  const bytes = new Uint8Array(128);
  bytes.set(key);
  const pi = (index: number) => piTable[index & 0xff] ?? 0;
  const at = (index: number) => bytes[index] ?? 0;
  for (let i = key.length; i < 128; i++) bytes[i] = pi(at(i - 1) + at(i - key.length));
  bytes[128 - key.length] = pi(at(128 - key.length));
  for (let i = 127 - key.length; i >= 0; i--) bytes[i] = pi(at(i + 1) ^ at(i + key.length));
  return Uint16Array.from({ length: 64 }, (_, i) => at(2 * i) | (at(2 * i + 1) << 8));
}

/** Five mixing rounds, a mashing round, six, a mashing round, five: here undone from the last key to the first. */
function decryptBlock(roundKeys: Uint16Array, ciphertext: Buffer, offset: number): Buffer {
  const words = Uint16Array.from({ length: 4 }, (_, i) => ciphertext.readUInt16LE(offset + 2 * i));
  const word = (index: number) => words[index & 3] ?? 0;
  const roundKey = (index: number) => roundKeys[index] ?? 0;
  const rotateRight = (value: number, bits: number) => (value >>> bits) | (value << (16 - bits));

  for (let round = 15; round >= 0; round--) {
    for (let i = 3; i >= 0; i--) {
      const mixed = (word(i - 1) & word(i - 2)) + (~word(i - 1) & word(i - 3)) + roundKey(4 * round + i);
      words[i] = rotateRight(word(i), [1, 2, 3, 5][i] ?? 1) - mixed;
    }
    if (round === 11 || round === 5) {
      for (let i = 3; i >= 0; i--) words[i] = word(i) - roundKey(word(i - 1) & 63);
    }
  }
  const block = Buffer.alloc(8);
  words.forEach((value, i) => {
    block.writeUInt16LE(value, 2 * i);
  });
  return block;
}

function withoutPadding(plain: Buffer): Buffer {
  const padding = plain.at(-1) ?? 0;
  const isPadded = padding >= 1 && padding <= 8 && plain.subarray(-padding).every((byte) => byte === padding);
  if (!isPadded) throw new Error('RC2 padding is wrong');
  return plain.subarray(0, plain.length - padding);
}

/** The permutation of RFC 2268, section 2, derived from the digits of pi. */
const piTable = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2' +
    '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82' +
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7' +
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec' +
    'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9' +
    '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);
