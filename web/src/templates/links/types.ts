export type { PublicLinkView } from '../../../../src/console/templates/public-link-views.ts';
