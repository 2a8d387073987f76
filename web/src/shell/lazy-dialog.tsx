import { type ComponentType, useEffect, useReducer } from 'react';
import { reportNoAnswer } from '../api/reachability.ts';

type Load<Props> = () => Promise<ComponentType<Props>>;

/** A component whose script is loaded when it is first needed. A script that could not be loaded is requested again. */
export interface Lazy<Props> {
  component: ComponentType<Props> | null;
  preload: () => Promise<void>;
}

export function lazily<Props>(load: Load<Props>): Lazy<Props> {
  let loading: Promise<void> | null = null;
  const lazy: Lazy<Props> = {
    component: null,
    preload() {
      loading ??= load().then(
        (component) => {
          lazy.component = component;
        },
        () => {
          loading = null;
        },
      );
      return loading;
    },
  };
  return lazy;
}

/** A dialog, or a part of a page, whose script is loaded when it is first shown. If that fails, the dialog closes again. */
export function lazyDialog<Props extends { onClose?: () => void }>(load: Load<Props>): ComponentType<Props> {
  const lazy = lazily(load);
  return function LazyDialog(props: Props) {
    const [, renew] = useReducer((count: number) => count + 1, 0);
    const { onClose } = props;
    useEffect(() => {
      if (lazy.component !== null) return;
      void lazy.preload().then(() => {
        if (lazy.component !== null) return renew();
        reportNoAnswer();
        onClose?.();
      });
    }, [onClose]);
    const { component: Dialog } = lazy;
    return Dialog === null ? null : <Dialog {...props} />;
  };
}
