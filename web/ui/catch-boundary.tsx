import { Component, type ComponentType, type ReactNode } from 'react';

interface CatchBoundaryProps {
  /** A new one tries the children again. */
  resetKey: string;
  fallback: ComponentType<{ error: Error }>;
  children: ReactNode;
}

interface Caught {
  error: Error | null;
  resetKey: string;
}

/** Shows the fallback in place of children that throw while they are drawn. */
export class CatchBoundary extends Component<CatchBoundaryProps, Caught> {
  override state: Caught = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ resetKey }: CatchBoundaryProps, state: Caught): Partial<Caught> | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey };
  }

  override render(): ReactNode {
    const { fallback: Fallback, children } = this.props;
    return this.state.error === null ? children : <Fallback error={this.state.error} />;
  }
}
