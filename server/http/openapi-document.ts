import type { EventType } from '../../contract/system/events.ts';
import type { Access, RouteFacts } from './access.ts';

/** The parts of an OpenAPI 3.1 document that this program uses; a schema is JSON Schema 2020-12. */
export type ApiSchema = { [keyword: string]: unknown };
export type ApiParameter = {
  in: 'path' | 'query' | 'header';
  name: string;
  description?: string;
  required?: boolean;
  example?: unknown;
  schema: ApiSchema;
};
/** A reference to a parameter in `components` that many operations share. */
export type ParameterRef = { $ref: string };
export type ApiContent = Record<
  string,
  { schema: ApiSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
>;
export type ApiResponse = {
  description: string;
  headers?: Record<string, ParameterRef>;
  content: ApiContent;
};
type ApiHeader = { description: string; schema: ApiSchema };
type SecurityScheme =
  | { type: 'http'; scheme: 'bearer'; bearerFormat?: string; description: string }
  | { type: 'apiKey'; in: 'cookie'; name: string; description: string };
/** The property that carries a route's policy into the document; it is removed in the end. */
export const FACTS = 'x-facts';

export type ApiOperation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: [tag: string];
  security: Record<string, string[]>[];
  'x-access': Access;
  'x-writes': readonly EventType[];
  /** Present if a person who must set up a second factor may call it. */
  'x-during-mfa-setup'?: true;
  [FACTS]?: Pick<RouteFacts, 'once' | 'errors' | 'takes' | 'portal'>;
  parameters?: (ApiParameter | ParameterRef)[];
  requestBody?: { required?: boolean; content: ApiContent };
  responses: Record<string, ApiResponse>;
};
/** A message to a webhook. */
export type ApiWebhook = {
  operationId: string;
  summary: string;
  tags: [tag: string];
  parameters: ParameterRef[];
  requestBody: { required: true; content: ApiContent };
  responses: Record<string, { description: string }>;
};
export type ApiDocument = {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: Record<string, { post: ApiWebhook }>;
  components: {
    schemas: Record<string, ApiSchema>;
    parameters?: Record<string, ApiParameter>;
    headers?: Record<string, ApiHeader>;
    securitySchemes: Record<string, SecurityScheme>;
  };
};

/** The parameters that are defined in the operation itself, not in `components`. */
export const ownParameters = ({ parameters = [] }: ApiOperation): ApiParameter[] =>
  parameters.filter((parameter) => 'in' in parameter);
