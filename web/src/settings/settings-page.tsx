import { shellText } from '../shell/texts.ts';

export function SettingsPage() {
  return <h1 className="text-2xl">{shellText.settings}</h1>;
}
