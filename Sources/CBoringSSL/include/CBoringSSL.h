#ifndef LINEJUDGE_CBORINGSSL_H
#define LINEJUDGE_CBORINGSSL_H

#include <stddef.h>
#include <stdint.h>

// Functions of the BoringSSL that swift-nio-ssl contains, which does not export its headers. They decrypt TLS
// in captures. The prefix is part of the symbols, so a program can contain several copies of BoringSSL.

struct evp_aead_st;
struct evp_aead_ctx_st;
struct env_md_st;

// Authenticated encryption.
const struct evp_aead_st *CNIOBoringSSL_EVP_aead_aes_128_gcm(void);
const struct evp_aead_st *CNIOBoringSSL_EVP_aead_aes_256_gcm(void);
const struct evp_aead_st *CNIOBoringSSL_EVP_aead_chacha20_poly1305(void);

/// Returns null on error. A tag length of 0 means the cipher's.
struct evp_aead_ctx_st *CNIOBoringSSL_EVP_AEAD_CTX_new(
    const struct evp_aead_st *aead, const uint8_t *key, size_t key_len, size_t tag_len);
void CNIOBoringSSL_EVP_AEAD_CTX_free(struct evp_aead_ctx_st *ctx);

/// Returns 1 if the bytes are authentic, and otherwise 0.
int CNIOBoringSSL_EVP_AEAD_CTX_open(
    const struct evp_aead_ctx_st *ctx, uint8_t *out, size_t *out_len, size_t max_out_len, const uint8_t *nonce,
    size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *ad, size_t ad_len);

// Key derivation.
const struct env_md_st *CNIOBoringSSL_EVP_sha256(void);
const struct env_md_st *CNIOBoringSSL_EVP_sha384(void);

/// Returns 1 on success.
int CNIOBoringSSL_HKDF_expand(
    uint8_t *out_key, size_t out_len, const struct env_md_st *digest, const uint8_t *prk, size_t prk_len,
    const uint8_t *info, size_t info_len);

/// Returns null on error.
uint8_t *CNIOBoringSSL_HMAC(
    const struct env_md_st *digest, const void *key, size_t key_len, const uint8_t *data, size_t data_len,
    uint8_t *out, unsigned int *out_len);

/// Forgets the errors of this thread. Bytes that are not authentic are an error.
void CNIOBoringSSL_ERR_clear_error(void);

#endif
