/** The part of autocannon that the bench uses; the package has no types. */
declare module 'autocannon' {
  type RequestData = { method?: string; path?: string; body?: string };

  type Options = {
    url: string;
    connections: number;
    duration: number;
    headers: Record<string, string>;
    requests: { setupRequest: (request: RequestData) => RequestData }[];
  };

  type Result = { duration: number; errors: number; non2xx: number };

  type Run = PromiseLike<Result> & {
    on: (
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ) => void;
  };

  export default function autocannon(options: Options): Run;
}
