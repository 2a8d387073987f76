import { useState } from 'react';
import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { FileInput } from '../ui/file-input.tsx';
import { Problem } from '../ui/problem.tsx';
import type { Branding, ChangeBranding } from './branding.ts';
import { brandingText } from './branding-texts.ts';
import { prepareLogo } from './prepare-logo.ts';

/** Shows the logo, and saves a chosen one at once. */
export function BrandLogo({ branding, change }: { branding: Branding; change: ChangeBranding }) {
  const [running, setRunning] = useState(0);
  const isBusy = running > 0;
  const [failure, setFailure] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const act = async (send: (newest: Branding) => Promise<Branding>, done: string) => {
    setRunning((count) => count + 1);
    setSaid('');
    setFailure(null);
    const problem = await change(send);
    setFailure(problem);
    setSaid(problem === null ? done : '');
    setRunning((count) => count - 1);
  };
  const upload = async ([file]: File[]) => {
    if (file === undefined) return;
    await act(
      async ({ version }) => api.upload('/branding/logo', { query: { version }, file: await prepareLogo(file) }),
      brandingText.logoSaved,
    );
  };
  const { logo } = branding;
  return (
    <section className="grid max-w-2xl gap-3" aria-labelledby="brand-logo">
      <h2 id="brand-logo" className="text-lg font-semibold">
        {brandingText.logo}
      </h2>
      {logo !== null && (
        <div className="flex flex-wrap items-center gap-4">
          <span className="rounded-lg border border-rule p-3" style={{ background: '#fff' }}>
            <img
              src={logo.address}
              width={logo.width}
              height={logo.height}
              alt={brandingText.currentLogo}
              className="h-auto max-w-full"
            />
          </span>
          <Button
            isBusy={isBusy}
            onClick={() =>
              act(({ version }) => api.post('/branding/logo/remove', { body: { version } }), brandingText.logoRemoved)
            }
          >
            {brandingText.removeLogo}
          </Button>
        </div>
      )}
      <FileInput
        label={brandingText.logoFile}
        hint={brandingText.logoHint}
        accept="image/png,image/jpeg"
        takesAgain
        onChoose={upload}
        className="bg-wash"
      >
        {brandingText.chooseLogo}
      </FileInput>
      <Problem of={failure} failures={brandingText.failures} />
      <p role="status" className="font-medium text-good">
        {said}
      </p>
    </section>
  );
}
