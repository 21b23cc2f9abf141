import * as contract from '@customer-database/contract/customers';
import { idParams, message, pageQuery } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { signedInContextOf } from '../../http/context.ts';
import { pageCountsOf } from '../../http/page-counts.ts';
import * as commands from './commands.ts';
import { presentCustomer } from './present.ts';

export function customerRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/api/customers/search',
      config: { access: 'customers.read' },
      schema: {
        operationId: 'searchCustomers',
        tags: ['Customers'],
        summary: 'Search customers; all filters must match',
        body: contract.customerSearchInput,
        response: { 200: contract.customerSearchResponse },
      },
      handler: async (request) => {
        const found = await commands.searchCustomers(signedInContextOf(deps, request), request.body);
        return {
          customers: found.customers.map(presentCustomer),
          count: found.matches.count,
          count_is_capped: found.matches.isCapped,
        };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/customers',
      config: { access: 'customers.read' },
      schema: {
        operationId: 'listCustomers',
        tags: ['Customers'],
        summary: 'List customers, newest first',
        querystring: pageQuery,
        response: { 200: contract.customerListResponse },
      },
      handler: async (request) => {
        const { customers, total } = await commands.listCustomers(
          signedInContextOf(deps, request),
          request.query,
        );
        return {
          customers: customers.map(presentCustomer),
          ...pageCountsOf(customers, total, request.query.limit),
        };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/customers/:id',
      config: { access: 'customers.read' },
      schema: {
        operationId: 'getCustomer',
        tags: ['Customers'],
        summary: 'Get a customer',
        params: idParams,
        response: { 200: contract.customerResponse },
      },
      handler: async (request) => ({
        customer: presentCustomer(
          await commands.getCustomer(signedInContextOf(deps, request), request.params.id),
        ),
      }),
    });

    app.route({
      method: 'POST',
      url: '/api/customers',
      config: { access: 'customers.manage', errors: ['POSSIBLE_DUPLICATE'] },
      schema: {
        operationId: 'createCustomer',
        tags: ['Customers'],
        summary: 'Add a customer',
        querystring: contract.saveCustomerQuery,
        body: contract.createCustomerInput,
        response: { 201: contract.savedCustomerResponse },
      },
      handler: async (request, reply) => {
        const ctx = signedInContextOf(deps, request);
        const customer = await commands.createCustomer(ctx, request.body, request.query);
        return reply
          .code(201)
          .send({ message: 'Customer created successfully', customer: presentCustomer(customer) });
      },
    });

    app.route({
      method: 'PUT',
      url: '/api/customers/:id',
      config: { access: 'customers.manage', errors: ['CONFLICT', 'POSSIBLE_DUPLICATE'] },
      schema: {
        operationId: 'updateCustomer',
        tags: ['Customers'],
        summary: 'Change a customer; fields left out keep their values, null or an empty text clears them',
        params: idParams,
        querystring: contract.saveCustomerQuery,
        body: contract.updateCustomerInput,
        response: { 200: contract.savedCustomerResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const customer = await commands.updateCustomer(ctx, request.params.id, request.body, request.query);
        return { message: 'Customer updated successfully', customer: presentCustomer(customer) };
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api/customers/:id',
      config: { access: 'customers.manage', errors: ['CUSTOMER_HAS_DOCUMENTS'] },
      schema: {
        operationId: 'deleteCustomer',
        tags: ['Customers'],
        summary: 'Delete a customer who has no documents',
        params: idParams,
        response: { 200: message },
      },
      handler: async (request) => {
        await commands.deleteCustomer(signedInContextOf(deps, request), request.params.id);
        return { message: 'Customer deleted successfully' };
      },
    });
  };
}
