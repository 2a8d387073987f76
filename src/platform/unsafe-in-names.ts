/** Characters that file systems refuse, that hide the end of a name, or that change its direction. */
export const unsafeInNames = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu;
