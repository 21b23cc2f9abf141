import type { OpenAPIV3_1 } from 'openapi-types';
import type { TestApp } from './test-app.ts';

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: unknown;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema };

/** A call as the server itself describes it. */
export type Operation = {
  /** Such as 'PUT /api/customers/{id}'. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  description: OpenAPIV3_1.OperationObject;
};

export function apiDocument(app: TestApp): OpenAPIV3_1.Document {
  return app.app.swagger() as OpenAPIV3_1.Document;
}

function bodySchema(description: OpenAPIV3_1.OperationObject): JsonSchema | undefined {
  const body = description.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  return body?.content['application/json']?.schema as JsonSchema | undefined;
}

export const responseOf = ({ description }: Operation, status: string | number) =>
  description.responses?.[status] as OpenAPIV3_1.ResponseObject | undefined;

export function operationsOf(document: OpenAPIV3_1.Document): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => {
      const description = operation as OpenAPIV3_1.OperationObject;
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: (description.parameters ?? []) as Parameter[],
        body: bodySchema(description),
        description,
      };
    }),
  );
}
