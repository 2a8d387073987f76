import { accentAddress } from '../branding/accent-css.ts';
import type { Brand } from '../branding/brand.ts';
import { fitLogo, logoAddress } from '../branding/logo.ts';
import type { PageBrand } from './pages/signing-page.ts';

/** The largest logo on a page, in CSS pixels. */
const logoBox = { width: 220, height: 44 };

/** Returns what a page shows of a brand. */
export function pageBrand({ accent, logo }: Pick<Brand, 'accent' | 'logo'>): PageBrand {
  return {
    logo: logo && { address: logoAddress(logo), ...fitLogo(logo, logoBox) },
    stylesheet: accent === null ? null : accentAddress(accent),
  };
}
