import { useEffect } from 'react';

let loaded: readonly string[] | null = null;

/** Shows a typed signature as the signing page and the sealed PDF do: dark on white in every theme. */
export function Handwriting({ text, fonts }: { text: string; fonts: readonly string[] }) {
  useEffect(() => loadFonts(fonts), [fonts]);
  return (
    <div className="grid min-h-28 items-center overflow-clip rounded-lg border border-edge bg-[#fffefb] px-4 py-3">
      <p
        dir="auto"
        className="min-w-0 font-['Handwriting','Handwriting_Extended',cursive] text-4xl leading-tight wrap-anywhere whitespace-pre-wrap text-[#14213d]"
      >
        {text}
      </p>
    </div>
  );
}

/** Loads the signing page's font: its Latin letters, then the rarer ones. */
function loadFonts(addresses: readonly string[]): void {
  if (loaded !== null) return;
  loaded = addresses;
  addresses.forEach((address, index) => {
    const face = new FontFace(index === 0 ? 'Handwriting' : 'Handwriting Extended', `url("${address}")`);
    document.fonts.add(face);
    face.load().catch(() => {}); // another script font stands in
  });
}
