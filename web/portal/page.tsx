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

/** A page. Its heading gets the focus when the page appears, so that screen readers start there. */
export function Page(props: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // In a layout effect: a later effect could take the focus from a field in which the user already types.
  useLayoutEffect(() => {
    document.title = props.title;
    heading.current?.focus();
  }, [props.title]);
  return <PageFrame {...props} headingRef={heading} />;
}

interface PageFrameProps extends PageProps {
  /** 'h3' if the page is shown within another page. */
  heading?: 'h1' | 'h3';
  headingRef?: RefObject<HTMLHeadingElement | null>;
}

/** The layout of a page. */
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

/** Skeletons while content loads. */
export const Loading = () => (
  <div aria-busy className="space-y-4">
    <h1 className="sr-only">{texts.loading}</h1>
    <Skeleton className="h-7 w-2/3" />
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-24 w-full" />
  </div>
);

/**
 * The message that loading failed, with a button to try again. If there was no answer, the page also tries again
 * automatically.
 */
export const LoadFailure = ({ error, retry }: { error: CallError; retry: () => void }) => (
  <Page title={texts.failedTitle} lead={error.status === 0 ? texts.noAnswer : error.message}>
    <Button size="lg" onClick={retry}>
      {texts.retry}
    </Button>
  </Page>
);
