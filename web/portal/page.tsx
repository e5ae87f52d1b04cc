import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { portalTexts as texts } from '../text/es-portal.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { CallError } from './call.ts';

interface PageProps {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}

/** One page: its heading takes the focus when it appears, so that a screen reader begins there. */
export function Page(props: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // At once, before anything is typed: an effect that runs later would take the focus out of a field in use.
  useLayoutEffect(() => {
    document.title = props.title;
    heading.current?.focus();
  }, [props.title]);
  return <PageFrame {...props} headingRef={heading} />;
}

interface PageFrameProps extends PageProps {
  /** Another one where the page is shown within a page. */
  heading?: 'h1' | 'h3';
  headingRef?: RefObject<HTMLHeadingElement | null>;
}

/** What a page looks like. */
export const PageFrame = ({ title, lead, children, heading: Heading = 'h1', headingRef }: PageFrameProps) => (
  <div className="space-y-5">
    <div className="space-y-1.5">
      <Heading ref={headingRef} tabIndex={-1} className="text-xl font-semibold wrap-anywhere">
        {title}
      </Heading>
      {lead && <div className="text-base text-muted">{lead}</div>}
    </div>
    {children}
  </div>
);

/** Grey shapes while something loads. */
export const Loading = () => (
  <div aria-busy className="space-y-4">
    <h1 className="sr-only">{texts.loading}</h1>
    <Skeleton className="h-7 w-2/3" />
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-24 w-full" />
  </div>
);

/** What could not be read, with the way to try again; without an answer the page tries by itself. */
export const LoadFailure = ({ error, retry }: { error: CallError; retry: () => void }) => (
  <Page title={texts.failedTitle} lead={error.status === 0 ? texts.noAnswer : error.message}>
    <Button size="lg" onClick={retry}>
      {texts.retry}
    </Button>
  </Page>
);
