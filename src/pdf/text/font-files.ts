import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

/** Font files for sealed PDFs, all under open licences. A file is read when a document first needs it. */
const specifiers = {
  sans: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  sansMedium: '@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf',
  sansSemiBold: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  serif: '@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf',
  serifItalic: '@expo-google-fonts/source-serif-4/400Regular_Italic/SourceSerif4_400Regular_Italic.ttf',
  serifSemiBold: '@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf',
  mono: '@expo-google-fonts/ibm-plex-mono/400Regular/IBMPlexMono_400Regular.ttf',
  handwriting: '@expo-google-fonts/dancing-script/500Medium/DancingScript_500Medium.ttf',
  handwritingCyrillic: '@expo-google-fonts/great-vibes/400Regular/GreatVibes_400Regular.ttf',
  arabic: '@embedpdf/fonts-arabic#../fonts/NotoNaskhArabic-Regular.ttf',
  hebrew: '@embedpdf/fonts-hebrew#../fonts/NotoSansHebrew-Regular.ttf',
  han: '../../../assets/fonts/DroidSansFallbackFull.ttf.br',
  hangul: '@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf',
  emoji: '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
  armenian: '../../../assets/fonts/NotoSansArmenian-Regular.ttf.br',
  bengali: '../../../assets/fonts/NotoSansBengali-Regular.ttf.br',
  canadianAboriginal: '../../../assets/fonts/NotoSansCanadianAboriginal-Regular.ttf.br',
  cherokee: '../../../assets/fonts/NotoSansCherokee-Regular.ttf.br',
  devanagari: '../../../assets/fonts/NotoSansDevanagari-Regular.ttf.br',
  ethiopic: '../../../assets/fonts/NotoSansEthiopic-Regular.ttf.br',
  georgian: '../../../assets/fonts/NotoSansGeorgian-Regular.ttf.br',
  gujarati: '../../../assets/fonts/NotoSansGujarati-Regular.ttf.br',
  gurmukhi: '../../../assets/fonts/NotoSansGurmukhi-Regular.ttf.br',
  kannada: '../../../assets/fonts/NotoSansKannada-Regular.ttf.br',
  khmer: '../../../assets/fonts/NotoSansKhmer-Regular.ttf.br',
  lao: '../../../assets/fonts/NotoSansLao-Regular.ttf.br',
  malayalam: '../../../assets/fonts/NotoSansMalayalam-Regular.ttf.br',
  myanmar: '../../../assets/fonts/NotoSansMyanmar-Regular.ttf.br',
  oriya: '../../../assets/fonts/NotoSansOriya-Regular.ttf.br',
  sinhala: '../../../assets/fonts/NotoSansSinhala-Regular.ttf.br',
  tamil: '../../../assets/fonts/NotoSansTamil-Regular.ttf.br',
  telugu: '../../../assets/fonts/NotoSansTelugu-Regular.ttf.br',
  thaana: '../../../assets/fonts/NotoSansThaana-Regular.ttf.br',
  thai: '../../../assets/fonts/NotoSansThai-Regular.ttf.br',
  tibetan: '../../../assets/fonts/NotoSerifTibetan-Regular.ttf.br',
  tifinagh: '../../../assets/fonts/NotoSansTifinagh-Regular.ttf.br',
} as const;

export type FontFile = keyof typeof specifiers;

const loaded = new Map<FontFile, Uint8Array>();

export function fontBytes(font: FontFile): Uint8Array {
  const known = loaded.get(font);
  if (known !== undefined) return known;
  const file = fileURLToPath(locate(specifiers[font]));
  const stored = readFileSync(file);
  const bytes = file.endsWith('.br') ? brotliDecompressSync(stored) : stored;
  loaded.set(font, bytes);
  return bytes;
}

/** Resolves a specifier. In `package#path`, `path` is relative to the main file, for packages that do not export the file. */
function locate(specifier: string): URL {
  if (specifier.startsWith('.')) return new URL(specifier, import.meta.url);
  const [entry = '', path] = specifier.split('#');
  const resolved = import.meta.resolve(entry);
  return path === undefined ? new URL(resolved) : new URL(path, resolved);
}
