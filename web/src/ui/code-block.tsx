import { CopyButton } from './copy-button.tsx';

/** Code to paste into a terminal. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="relative min-w-0 rounded-lg border border-rule bg-wash">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto p-4 font-mono text-[0.8125rem] leading-relaxed whitespace-pre"
      >
        <code>{code}</code>
      </pre>
      <div className="flex justify-end border-t border-rule p-2">
        <CopyButton text={code} name={name} />
      </div>
    </div>
  );
}
