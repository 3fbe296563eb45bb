// Request lines that cannot be read. The stack drops a message whose first line it cannot parse; RFC 3261 (sections 8.2 and
// 21.4.1) wants such a request answered where its headers allow it. Here every line that begins with a method is taken; one
// that is otherwise malformed gets no address, and the stack answers it 400 without a transaction.
#include "csip_internal.h"

#include <sofia-sip/bnf.h>
#include <sofia-sip/msg_mclass.h>
#include <sofia-sip/msg_parser.h>
#include <string.h>

static msg_mclass_t *classes;
static struct msg_hclass_s request_line;

static issize_t parse_malformed(su_home_t *home, sip_request_t *request, char *line) {
    size_t length = span_token(line);
    if (length == 0 || !(line[length] == ' ' || line[length] == '\t')) return -1;
    char *method = su_strndup(home, line, (isize_t)length);
    if (!method) return -1;
    memset(request->rq_url, 0, sizeof request->rq_url);
    request->rq_url->url_type = url_invalid;
    request->rq_method = sip_method_code(method);
    request->rq_method_name = method;
    request->rq_version = sip_version_2_0;
    return 0;
}

static issize_t parse(su_home_t *home, msg_header_t *header, char *line, isize_t length) {
    // The library's parser writes into its line.
    char *copy = su_strndup(home, line, length);
    if (!copy) return -1;
    if (sip_request_class->hc_parse(home, header, line, length) >= 0) {
        su_free(home, copy);
        return 0;
    }
    issize_t result = parse_malformed(home, (sip_request_t *)header, copy);
    su_free(home, copy);
    return result;
}

void csip_message_classes_make(void) {
    request_line = sip_request_class[0];
    request_line.hc_parse = parse;
    classes = msg_mclass_clone(sip_default_mclass(), 0, 0);
    if (classes) classes->mc_request->hr_class = &request_line;
}

msg_mclass_t const *csip_message_classes(void) { return classes ? classes : sip_default_mclass(); }
