/** The route of a recipient's page. */
export const pagePath = '/sign/:token';
/** The route of the form that needs no script. Its answers are pages. */
export const formPath = '/sign/:token/form';
/** The route of the form on which a recipient names someone else. */
export const delegationPath = '/sign/:token/delegate';
/** The route of the form on which a recipient writes to the sender. */
export const commentPath = '/sign/:token/comment';
/** The page on which a phone draws for a signing page that is open elsewhere. */
export const drawingPath = '/draw/:token';
/** The page of a public link, whose forms need no script either. */
export const publicLinkPath = '/link/:token';
